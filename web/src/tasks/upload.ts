// Upload of an input file. Browsers cannot stream a request, so all of its envelopes are sent as one body.
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { UploadTaskInputRequestSchema, UploadTaskInputResponseSchema, type UploadTaskInputRequest } from "../v1/repoquarry/v1/task_service_pb";

const PATH = "/repoquarry.v1.TaskService/UploadTaskInput";
const PART_BYTES = 1 << 20;
const END_FLAG = 2;
const HEAD_BYTES = 5;

/** Upload a file for a future task and return its name, `uploads/{upload}`. Throws ConnectError. */
export async function uploadFile(file: File): Promise<string> {
  const header = create(UploadTaskInputRequestSchema, { part: { case: "header", value: { fileName: file.name, size: BigInt(file.size) } } });
  const body: BlobPart[] = [...envelope(header)];
  for (let start = 0; start < file.size; start += PART_BYTES) {
    const value = new Uint8Array(await file.slice(start, start + PART_BYTES).arrayBuffer());
    body.push(...envelope(create(UploadTaskInputRequestSchema, { part: { case: "data", value } })));
  }
  const headers = { "Content-Type": "application/connect+proto", "Connect-Protocol-Version": "1" };
  const response = await fetch(PATH, { method: "POST", headers, body: new Blob(body) });
  if (response.status === 413) throw new ConnectError(`${file.name} is too large for one request: send it with repoquarry task --input`, Code.ResourceExhausted);
  if (!response.ok) throw new ConnectError(`The upload was refused (${response.status}).`, response.status === 401 ? Code.Unauthenticated : Code.InvalidArgument);
  return readUpload(new Uint8Array(await response.arrayBuffer()));
}

function envelope(message: UploadTaskInputRequest): [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>] {
  const data = toBinary(UploadTaskInputRequestSchema, message);
  const head = new Uint8Array(HEAD_BYTES);
  new DataView(head.buffer).setUint32(1, data.length);
  return [head, data as Uint8Array<ArrayBuffer>];
}

/** Return the upload that the response names; its last envelope has the error. */
function readUpload(body: Uint8Array): string {
  let upload = "";
  for (let position = 0; position < body.length; ) {
    const flags = body[position] ?? 0;
    const length = new DataView(body.buffer, body.byteOffset + position + 1, 4).getUint32(0);
    const data = body.subarray(position + HEAD_BYTES, position + HEAD_BYTES + length);
    position += HEAD_BYTES + length;
    if ((flags & END_FLAG) === 0) upload = fromBinary(UploadTaskInputResponseSchema, data).upload;
    else {
      const end = JSON.parse(new TextDecoder().decode(data)) as { error?: { message?: string } };
      if (end.error !== undefined) throw new ConnectError(end.error.message ?? "", Code.InvalidArgument);
    }
  }
  return upload;
}
