/** Numbers and times as people read them. */

/** With four digits that count, and a true minus. */
export function figure(value: number, digits = 4): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size < 1e-3 || size >= 1e6 ? value.toExponential(digits - 2)
    : value.toFixed(Math.max(0, digits - 1 - Math.floor(Math.log10(size))));
  return text.replaceAll("-", "−");
}

/** As short as the number allows: 0.5, 20, 1e−5. */
export function short(value: number): string {
  const text = Math.abs(value) > 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6)
    ? value.toExponential() : `${parseFloat(value.toPrecision(6))}`;
  return text.replaceAll("-", "−");
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const two = (value: number) => `${value}`.padStart(2, "0");

/** Wed 24 Jan 2007 18:00 UTC, of seconds since 1970. */
export function date(seconds: number): string {
  const d = new Date(seconds * 1000);
  return `${DAYS[d.getUTCDay()]} ${d.getUTCDate()} ${MONTHS[d.getUTCMonth()]} ${d.getUTCFullYear()} ${clock(seconds)} UTC`;
}

export function clock(seconds: number): string {
  const d = new Date(seconds * 1000);
  const rest = d.getUTCSeconds() ? `:${two(d.getUTCSeconds())}` : "";
  return `${two(d.getUTCHours())}:${two(d.getUTCMinutes())}${rest}`;
}

/** A span of model time: 15 min, 6 h, 6 h 30 min, 3 d 12 h. */
export function span(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${parseFloat(seconds.toFixed(1))} s`;
  if (whole < 3600) return whole % 60 ? `${Math.floor(whole / 60)} min ${whole % 60} s` : `${whole / 60} min`;
  const days = Math.floor(whole / 86400), hours = Math.floor((whole % 86400) / 3600);
  const minutes = Math.round((whole % 3600) / 60);
  if (days >= 2) return [`${days} d`, hours ? `${hours} h` : ""].join(" ").trim();
  return [`${24 * days + hours} h`, minutes ? `${minutes} min` : ""].join(" ").trim();
}
