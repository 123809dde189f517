// Paths of calls: names with the number and line style on each step.
import type { JSX } from "preact";
import { certaintyClass, confidence } from "./format";
import { EntityLink } from "./links";
import { EdgeMark } from "./marks";
import { place } from "./format";
import type { CodePath, PathStep } from "./v1/repoquarry/v1/code_service_pb";
import { Certainty } from "./v1/repoquarry/v1/view_service_pb";

/** Confidence from which an edge is resolved and not only declared. */
const MIN_RESOLVED = 0.9;

/** Return the class of an edge from its rule and confidence, as the service does for neighbors. */
export function siteCertainty(how: string, value: number): Certainty {
  if (how === "possible") return Certainty.POSSIBLE;
  return value >= MIN_RESOLVED ? Certainty.RESOLVED : Certainty.DECLARED;
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
  const value = step.site?.confidence ?? 1;
  const kind = certaintyClass(siteCertainty(step.site?.how ?? "", value));
  const entity = step.entity;
  return (
    <>
      <li class="step" title={`${kind}, ${Math.round(value * 100)} percent`}><span class={`p ${kind}`}>{confidence(value)}</span><EdgeMark kind={kind} width={22} /></li>
      {entity !== undefined && <li><EntityLink entity={entity} /><span class="xs t3 m">{place(entity)}</span></li>}
    </>
  );
}
