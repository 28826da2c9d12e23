import { render } from "preact";
import "uplot/dist/uPlot.min.css";
import "./style/fonts.css";
import "./style/colours.css";
import "./style/base.css";
import "./style/shell.css";
import "./style/parts.css";
import "./style/talk.css";
import "./style/live.css";
import "./style/lists.css";
import { App } from "./shell/app";
import { beginKeys } from "./shell/keys";
import { beginRoute } from "./shell/route";
import { beginTheme } from "./shell/theme";
import { begin } from "./world/live";

const root = document.getElementById("solo");
if (root !== null) {
  beginTheme();
  beginRoute();
  beginKeys();
  begin();
  render(<App />, root);
}
