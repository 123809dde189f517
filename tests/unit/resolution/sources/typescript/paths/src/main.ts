import { tool } from "@lib/tool";
import { config } from "config";
import { plain } from "src/plain";
tool();
// ^ calls: src/lib/tool.tool
config();
// ^ calls: src/config.config
plain();
// ^ calls: src/plain.plain
