// States of a task in words.
import { Task_State, type Task } from "../v1/repoquarry/v1/task_service_pb";

const STATE_WORDS: Readonly<Record<Task_State, string>> = {
  [Task_State.UNSPECIFIED]: "Unknown",
  [Task_State.QUEUED]: "Queued",
  [Task_State.RUNNING]: "Running",
  [Task_State.WAITING]: "Needs approval",
  [Task_State.SUCCEEDED]: "Done",
  [Task_State.FAILED]: "Failed",
  [Task_State.CANCELLED]: "Cancelled",
};

export function stateWords(state: Task_State): string {
  return STATE_WORDS[state];
}

export function hasEnded(task: Task): boolean {
  return task.state === Task_State.SUCCEEDED || task.state === Task_State.FAILED || task.state === Task_State.CANCELLED;
}
