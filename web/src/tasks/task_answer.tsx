// Answer of a task: its text, and the places that it names as links.
import type { JSX } from "preact";
import { AnswerText } from "../answer_text";
import type { TaskAnswer } from "../v1/repoquarry/v1/task_service_pb";

export function TaskAnswerText({ answer }: { answer: TaskAnswer }): JSX.Element {
  const places = new Map(answer.places.map((place) => [place.path, place.repository]));
  const [only = "", ...others] = answer.basis?.repositories.map((each) => each.repository) ?? [];
  return <AnswerText text={answer.text} repositoryOf={(path) => places.get(path) ?? (others.length === 0 ? only : "")} />;
}
