// Clients of the services, and what their errors mean for a reader.
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { CodeService } from "./v1/repoquarry/v1/code_service_pb";
import { IndexService } from "./v1/repoquarry/v1/index_service_pb";
import { QueryService } from "./v1/repoquarry/v1/query_service_pb";
import { RepositoryService } from "./v1/repoquarry/v1/repository_service_pb";
import { TaskService } from "./v1/repoquarry/v1/task_service_pb";
import { ViewService } from "./v1/repoquarry/v1/view_service_pb";

const transport = createConnectTransport({ baseUrl: location.origin });

export const views = createClient(ViewService, transport);
export const code = createClient(CodeService, transport);
export const queries = createClient(QueryService, transport);
export const repositories = createClient(RepositoryService, transport);
export const tasks = createClient(TaskService, transport);
export const indexing = createClient(IndexService, transport);

/** Failure of a request in the words of the page. */
export interface Failure {
  readonly kind: "gone" | "signed-out" | "forbidden" | "not-found" | "refused";
  readonly title: string;
  readonly effect: string;
  readonly detail: string;
}

export function describeFailure(error: unknown): Failure {
  const failure = ConnectError.from(error);
  const detail = failure.rawMessage;
  switch (failure.code) {
    case Code.Unauthenticated:
      return { kind: "signed-out", title: "This page needs a token.", effect: "The service answers only signed-in readers.", detail };
    case Code.PermissionDenied:
      return { kind: "forbidden", title: "Your token may not do this.", effect: "Ask whoever runs the service for the scope.", detail };
    case Code.NotFound:
      return { kind: "not-found", title: "Nothing has this name in the store.", effect: "Its links no longer open.", detail };
    case Code.Unavailable:
    case Code.Unknown:
    case Code.DeadlineExceeded:
      return { kind: "gone", title: "The service does not answer.", effect: "What is shown stays readable.", detail };
    default:
      return { kind: "refused", title: "The service refused this request.", effect: "Nothing was changed.", detail };
  }
}
