// Timeline of a task: steps with their results, and the prompt that asks for approval.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { seconds } from "../format";
import { Text } from "../text";
import { hasEnded } from "./task_state";
import type { ApprovalRequested, Task, TaskEvent } from "../v1/repoquarry/v1/task_service_pb";
import { TaskAnswerText } from "./task_answer";
import { argumentText, buildSteps, type Step } from "./step_model";

const MAX_OUTPUT_LINES = 6;

export interface ApprovalActions {
  readonly onDecide: (approval: string, isGranted: boolean, reason?: string) => void;
  /** Approve the pending command and all further ones of the task while the page is open. */
  readonly onApproveAll: () => void;
}

export function Timeline({ task, events, upTo, ...actions }: ApprovalActions & { task: Task; events: readonly TaskEvent[]; upTo: number }): JSX.Element {
  const steps = buildSteps(events.filter((event) => upTo === 0 || Number(event.sequence) <= upTo));
  const pending = task.pendingApproval;
  const plan = events.find(({ event }) => event.case === "plan")?.event;
  const checks = events.findLast(({ event }) => event.case === "checked")?.event;
  return (
    <>
      {plan?.case === "plan" && plan.value.text !== "" && <p class="s t2 plan">Plan: <Text text={plan.value.text} /></p>}
      <ol class="steps">
        {steps.map((step) => <StepRow step={step} pending={step.approval !== null && step.approval.approval === pending?.approval ? pending : undefined} {...actions} />)}
        {steps.length === 0 && <li class="s t3">{hasEnded(task) ? "Answered from the index, without a step." : "No step yet."}</li>}
      </ol>
      {task.answer !== undefined && (upTo === 0) && <Answer task={task} />}
      {checks?.case === "checked" && checks.value.checks.map((each) => <p class={each.held ? "s add" : "s rem"}>{each.held ? "✓" : "✗"} <Text text={each.check} />{each.why !== "" && `: ${each.why}`}</p>)}
      {task.error !== undefined && <p class="failure" role="alert"><b>{task.error.message}</b> <span class="m t3">{task.error.reason}</span></p>}
    </>
  );
}

function StepRow({ step, pending, ...actions }: ApprovalActions & { step: Step; pending: ApprovalRequested | undefined }): JSX.Element {
  const { call, result, command, decision } = step;
  const state = pending !== undefined ? "now" : result === null ? "running" : result.failed ? "failed" : "done";
  return (
    <li class={`step-row ${state}`}>
      <span class="step-mark" aria-label={`Step ${step.number}, ${state}`} role="img">{step.number}</span>
      {pending !== undefined ? <Approval request={pending} why={call.why} {...actions} /> : (
        <div class="step-body">
          <div class="row"><b class="m">{call.tool}</b><span class="m t2 el" title={argumentText(call.arguments)}><Text text={argumentText(call.arguments)} /></span><span class="sp" /><span class="t3 xs m">{result === null ? "" : seconds(result.seconds)}</span></div>
          {call.why !== "" && <p class="s t2"><Text text={call.why} /></p>}
          {command !== null && <Output text={command.head + (command.leftOut > 0n ? `\n… ${command.leftOut} characters …\n` : "") + command.tail} />}
          <p class={result?.failed === true ? "s rem" : "s"}>{command !== null && `Exit code ${command.exitCode}. `}<Text text={result?.summary ?? "running…"} /> {decision !== null && <span class="t3">{decision.granted ? (decision.automatic ? "Approved by the task's setting." : "Approved by you.") : `Declined by you${decision.reason === "" ? "." : `: ${decision.reason}`}`}</span>}</p>
        </div>
      )}
    </li>
  );
}

function Output({ text }: { text: string }): JSX.Element | null {
  const [isLong, setLong] = useState(false);
  const lines = text.trimEnd().split("\n");
  if (text.trim() === "") return null;
  return (
    <>
      <pre class="output" tabIndex={0} aria-label="Output"><Text text={(isLong ? lines : lines.slice(0, MAX_OUTPUT_LINES)).join("\n")} /></pre>
      {lines.length > MAX_OUTPUT_LINES && <button class="plain link s" onClick={() => setLong(!isLong)}>{isLong ? "Show less" : `Show all ${lines.length} lines`}</button>}
    </>
  );
}

/** Prompt for approval. Focus goes to its heading; no key but `a` and `d` and the buttons answer it. */
function Approval({ request, why, onDecide, onApproveAll }: ApprovalActions & { request: ApprovalRequested; why: string }): JSX.Element {
  const [reason, setReason] = useState("");
  const command = argumentText(request.arguments);
  return (
    <div class="step-body approval" role="alertdialog" aria-labelledby="approval-title">
      <h2 id="approval-title" tabIndex={-1}>{request.arguments?.["command"] === undefined ? `Run ${request.tool}?` : "Run this command?"}</h2>
      {why !== "" && <p class="s t2"><Text text={why} /></p>}
      <pre class="approval-command" tabIndex={0} aria-label="Command"><Text text={command} /></pre>
      <p class="s"><span class="t3">Effect</span> <Text text={request.effect} /></p>
      <div class="row">
        <button class="btn pri" onClick={() => onDecide(request.approval, true)}>Run it <kbd>a</kbd></button>
        <button onClick={() => onDecide(request.approval, false, reason)}>Decline <kbd>d</kbd></button>
        <input class="field" aria-label="Reason to decline, which the agent reads" placeholder="Reason to decline (optional)" maxLength={1000} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
      </div>
      <button class="plain link s" onClick={onApproveAll}>Run this and all further commands of this task while this page is open</button>
      <p class="s t3">Nothing runs until you answer.</p>
    </div>
  );
}

function Answer({ task }: { task: Task }): JSX.Element | null {
  const answer = task.answer;
  if (answer === undefined) return null;
  return (
    <section class="card answer-card" aria-label="Answer">
      <h2>Answer{answer.partial && " (limit reached, results are partial)"}</h2>
      <TaskAnswerText answer={answer} />
    </section>
  );
}
