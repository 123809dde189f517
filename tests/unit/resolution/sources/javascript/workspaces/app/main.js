import { util } from "@acme/util";
import { special } from "@acme/util/special";
import { inner } from "#inner";
util();
// ^ calls: packages/util/src.util
special();
// ^ calls: packages/util/src/special.special
inner();
// ^ calls: app/lib/inner.inner
