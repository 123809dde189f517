// Paths of calls: names with the number and line style on each step.
import type { JSX } from "preact";
import { certaintyClass, confidence, place } from "./format";
import { EntityLink } from "./links";
import { EdgeMark, edgeWords, type Edge } from "./marks";
import type { Site } from "./v1/repoquarry/v1/entities_pb";
import type { CodePath, PathStep } from "./v1/repoquarry/v1/code_service_pb";
import { Certainty } from "./v1/repoquarry/v1/view_service_pb";

/** Certainty of the rules that decide it whatever the number of targets, as `call_views.view_of`. */
const OF_RULE: Readonly<Record<string, Certainty>> = {
  candidate: Certainty.POSSIBLE, declared: Certainty.DECLARED, dispatch: Certainty.ONE_OF, hook: Certainty.ONE_OF, possible: Certainty.POSSIBLE,
};

/** Return an edge of a site, classed by its rule and targets as the service does for neighbors. */
function siteEdge(site: Site | undefined): Edge {
  const { how = "", targets = 1n, confidence: value = 1 } = site ?? {};
  return { certainty: OF_RULE[how] ?? (targets > 1n ? Certainty.ONE_OF : Certainty.SURE), confidence: value, targets };
}

export function pathConfidence(path: CodePath): number {
  return path.steps.reduce((product, step) => product * (step.site?.confidence ?? 1), 1);
}

export function PathStrip({ path }: { path: CodePath }): JSX.Element {
  return (
    <ol class="path">
      {path.start !== undefined && <li><EntityLink entity={path.start} /><span class="xs t3 m">{place(path.start)}</span></li>}
      {path.steps.map((step) => <Step step={step} />)}
    </ol>
  );
}

function Step({ step }: { step: PathStep }): JSX.Element {
  const edge = siteEdge(step.site);
  const kind = certaintyClass(edge.certainty);
  const entity = step.entity;
  return (
    <>
      <li class="step" title={edgeWords(edge)}><span class={`p ${kind}`}>{confidence(edge.confidence)}</span><EdgeMark kind={kind} width={22} /></li>
      {entity !== undefined && <li><EntityLink entity={entity} /><span class="xs t3 m">{place(entity)}</span></li>}
    </>
  );
}
