/** What the server answers, for a component: the last answer stays until the next has come. */
import { useEffect, useState } from "preact/hooks";

export function useAsked<T>(key: string, ask: (() => Promise<T>) | null): { answer?: T; error?: string; waits: boolean } {
  const [state, setState] = useState<{ answer?: T; error?: string; key: string }>({ key: "" });
  useEffect(() => {
    if (!ask) return;
    let stale = false;
    ask().then(
      (answer) => stale || setState({ answer, key }),
      (error: Error) => stale || setState({ error: error.message, key }),
    );
    return () => {
      stale = true;
    };
  }, [key]);
  return { answer: state.answer, error: state.error, waits: state.key !== key };
}
