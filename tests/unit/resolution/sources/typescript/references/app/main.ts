import { Core } from "@core";
new Core().run();
// ^ calls: core/src.Core, core/src.Core.run
