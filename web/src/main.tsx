// Entry of the page.
import { render } from "preact";
import { App } from "./app";
import { listenToKeys } from "./frame/keys";
import { applyTheme } from "./frame/theme";
import { followLinks } from "./route";
import "./styles/page.css";

applyTheme();
followLinks();
listenToKeys();
render(<App />, document.body);
