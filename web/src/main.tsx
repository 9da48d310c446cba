import { render } from "preact";
import { App } from "./app";
import { keepAddress } from "./choice";
import { beating, live } from "./live";

render(<App />, document.getElementById("page")!);
keepAddress();
live();
beating();
