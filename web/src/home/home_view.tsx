// View of a repository's overview.
import type { JSX } from "preact";
import { useAnswer } from "../answer";
import { AnswerFrame } from "../frame/answer_frame";
import { views } from "../services";
import { HomePicture } from "./home_picture";

export function HomeView({ repository }: { repository: string }): JSX.Element {
  const [answer, retry] = useAnswer(`home ${repository}`, (signal) => views.getOverview({ repository: `repositories/${repository}` }, { signal }));
  return <AnswerFrame answer={answer} onRetry={retry} rows={12}>{(value) => <HomePicture answer={value} />}</AnswerFrame>;
}
