import { mediaTypeOf } from '@tollgate/dialects/canonical/media-type'
import type { MemberPolicy } from '@tollgate/dialects/checked/take-out'
import type { JudgedNames } from '@tollgate/dialects/checked/findings'
import type { JsonObject } from '@tollgate/dialects/json'
import { parseInSlices } from '@tollgate/dialects/json-slices'
import { readCheckedObject } from '@tollgate/dialects/checked/read-object'
import { keepFields, rejectSuspectForm } from '@tollgate/dialects/checked/refuse'
import type { CheckedShape } from '@tollgate/dialects/checked/shape'
import { readForm, textsOf, type Form, type FormPart } from '@tollgate/dialects/media/form'
import { refuseLongPrompts } from '@tollgate/dialects/media/prompts'
import { problem } from '@tollgate/problems/problem'
import type { App } from '../app.ts'
import { taskApis } from '../operations/all.ts'
import type { TaskCall } from './task-call.ts'
import { releaseBuffer } from '../stations/admit/body-bytes.ts'

export interface TaskMembers {
  readonly body: JsonObject
  readonly names: JudgedNames | undefined
}

/**
 * The members of a submission: from a JSON object, or from a form whose images become data URLs. Throws a
 * Problem when a member that affects the price or a check is written in an unusual spelling.
 */
export async function membersIn(
  bytes: Buffer,
  task: TaskCall & { readonly policy: MemberPolicy },
  app: App,
): Promise<TaskMembers> {
  const type = task.call.request.headers['content-type'] ?? ''
  const isForm = /^\s*multipart\/form-data\b/i.test(type)
  try {
    const read = isForm
      ? formMembers(readForm(bytes, type), task.api.judged, task.policy)
      : await jsonMembers(bytes, task, app)
    refuseLongPrompts(read.body)
    return read
  } catch (error) {
    // The buffer is not used any more. Freed at once, because the bytes of many refused calls would otherwise
    // wait for the garbage collector together.
    if (isAlone(bytes)) releaseBuffer(bytes)
    throw error
  }
}

/**
 * Larger bodies are checked in a worker thread and parsed in slices, so that they do not block the event
 * loop.
 */
const LARGE_BYTES = 1024 * 1024

async function jsonMembers(
  bytes: Buffer,
  { caller, api, policy }: TaskCall & { readonly policy: MemberPolicy },
  { bodyReader }: Pick<App, 'bodyReader'>,
): Promise<TaskMembers> {
  if (bytes.length <= LARGE_BYTES) return readCheckedObject(bytes, api.judged, policy)
  const use = taskApis.indexOf(api)
  const checked = await bodyReader.read({ userId: caller.owner.id, use, defaults: {}, policy, bytes })
  return { body: await parseInSlices(checked.bytes), names: checked.facts.names }
}

/** Whether the buffer's memory holds nothing but these bytes. */
function isAlone({ byteOffset, length, buffer }: Buffer): boolean {
  return byteOffset === 0 && length === buffer.byteLength
}

function formMembers(sent: Form, judged: CheckedShape, policy: MemberPolicy): TaskMembers {
  rejectSuspectForm(sent, textsOf(sent), judged)
  const { form, names } = keepFields(sent, judged, policy)
  const texts = textsOf(form)
  const files = form.parts.filter(({ fileName }) => fileName !== undefined)
  const pictures = Map.groupBy(files, ({ name }) => name)
  const members = [...pictures].map(([name, parts]) => [name, parts.map(dataUrl)] as const)
  return { body: { ...texts, ...Object.fromEntries(members) }, names }
}

/** Unlike new-api: the type of an image is determined from its bytes. */
function dataUrl({ name, content }: FormPart): string {
  const type = mediaTypeOf(content)
  if (type === undefined) throw problem('member_invalid', { param: name })
  return `data:${type};base64,${content.toString('base64')}`
}
