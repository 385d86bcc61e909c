// The page's own script. Everything that is shown comes from the server as HTML; this sends forms, brings in what has
// changed, and makes dialogs, menus and the composer work as in Slack.
import { start as live } from "./live.js";
import { start as send } from "./send.js";
import { start as compose } from "./compose.js";
import { start as dialogs } from "./dialogs.js";
import { start as menus } from "./menus.js";
import { start as drawers } from "./drawers.js";

compose();
dialogs();
menus();
drawers();
send();
live();
