import legacy from "./legacy";
import { View } from "./view";
legacy();
// ^ calls: legacy.legacy
View();
// ^ calls: view.View
