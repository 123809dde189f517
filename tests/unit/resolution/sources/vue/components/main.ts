import Counter from "./Counter.vue";
import { format } from "./format";
format(Counter);
// ^ calls: format.format
