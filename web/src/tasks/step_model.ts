// Steps of a task from its events: one step for each tool call, with its approval and its result.
import type { JsonObject } from "@bufbuild/protobuf";
import type { ApprovalRequested, CommandEnded, TaskEvent, ToolCalled, ToolReturned } from "../v1/repoquarry/v1/task_service_pb";

export interface Step {
  readonly number: number;
  readonly call: ToolCalled;
  readonly approval: ApprovalRequested | null;
  readonly decision: { readonly granted: boolean; readonly automatic: boolean; readonly reason: string } | null;
  readonly command: CommandEnded | null;
  readonly result: ToolReturned | null;
}

/** Return the steps in order. */
export function buildSteps(events: readonly TaskEvent[]): Step[] {
  const steps = new Map<string, Step>();
  const callByApproval = new Map<string, string>();
  const change = (call: string, changed: Partial<Step>): void => {
    const step = steps.get(call);
    if (step !== undefined) steps.set(call, { ...step, ...changed });
  };
  for (const { event } of events) {
    if (event.case === "toolCalled") {
      const number = event.value.step || steps.size + 1;
      steps.set(event.value.call, { number, call: event.value, approval: null, decision: null, command: null, result: null });
    } else if (event.case === "approvalRequested") {
      callByApproval.set(event.value.approval, event.value.call);
      change(event.value.call, { approval: event.value });
    } else if (event.case === "approvalDecided") {
      change(callByApproval.get(event.value.approval) ?? "", { decision: { granted: event.value.granted, automatic: event.value.automatic, reason: event.value.reason } });
    } else if (event.case === "commandEnded") change(event.value.call, { command: event.value });
    else if (event.case === "toolReturned") change(event.value.call, { result: event.value });
  }
  return [...steps.values()];
}

/** Return arguments on one line; a command alone where there is one. */
export function argumentText(input: JsonObject | undefined): string {
  if (input === undefined) return "";
  const command = input["command"];
  if (typeof command === "string") return command;
  return Object.entries(input).map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(" ");
}
