import { mediaTypeOf } from '@tollgate/dialects/canonical/media-type'
import type { JsonObject } from '@tollgate/dialects/json'
import { parseInSlices } from '@tollgate/dialects/json-slices'
import { readJudgedObject } from '@tollgate/dialects/judged/read-object'
import { refuseOddForm } from '@tollgate/dialects/judged/refuse'
import type { JudgedShape } from '@tollgate/dialects/judged/shape'
import { readForm, textsOf, type Form, type FormPart } from '@tollgate/dialects/media/form'
import { refuseLongPrompts } from '@tollgate/dialects/media/prompts'
import { problem } from '@tollgate/kit/problem'
import { taskPlatforms } from '@tollgate/providers/tasks/index'
import type { BodyReader } from '../threads/body-reader.ts'
import type { TaskCall } from './ports.ts'
import { releaseBuffer } from '../admit/body-bytes.ts'
import { readTaskBody, type ReadBodyPorts } from './read-body.ts'

export interface MembersPorts extends ReadBodyPorts {
  readonly bodyReader: Pick<BodyReader, 'read'>
}

/**
 * The members of a submission: of a JSON object, or of a form, whose pictures become data URLs. Throws the Problem of a
 * judged member in an odd spelling.
 */
export async function readMembers(task: TaskCall, ports: MembersPorts): Promise<JsonObject> {
  const type = task.call.request.headers['content-type'] ?? ''
  const bytes = await readTaskBody(task, ports)
  const isForm = /^\s*multipart\/form-data\b/i.test(type)
  try {
    const body = isForm
      ? formMembers(readForm(bytes, type), task.platform.judged)
      : await jsonMembers(bytes, task, ports)
    refuseLongPrompts(body)
    return body
  } catch (error) {
    // Nobody reads on: a collection later would find the bytes of many refused calls at once.
    if (isAlone(bytes)) releaseBuffer(bytes)
    throw error
  }
}

/** Beyond this, checking and parsing takes more than the event loop has time for. */
const LARGE_BYTES = 1024 * 1024

async function jsonMembers(
  bytes: Buffer,
  { caller, platform }: TaskCall,
  { bodyReader }: MembersPorts,
): Promise<JsonObject> {
  if (bytes.length <= LARGE_BYTES) return readJudgedObject(bytes, platform.judged)
  const use = taskPlatforms.indexOf(platform)
  const checked = await bodyReader.read({ userId: caller.owner.id, use, defaults: {}, bytes })
  return parseInSlices(checked.bytes)
}

/** Whether the memory holds these bytes and nothing else. */
function isAlone({ byteOffset, length, buffer }: Buffer): boolean {
  return byteOffset === 0 && length === buffer.byteLength
}

function formMembers(form: Form, judged: JudgedShape): JsonObject {
  const texts = textsOf(form)
  refuseOddForm(form, texts, judged)
  const files = form.parts.filter(({ fileName }) => fileName !== undefined)
  const pictures = Map.groupBy(files, ({ name }) => name)
  const members = [...pictures].map(([name, parts]) => [name, parts.map(dataUrl)] as const)
  return { ...texts, ...Object.fromEntries(members) }
}

/** WEAKNESS: a picture is what its bytes say it is. */
function dataUrl({ name, content }: FormPart): string {
  const type = mediaTypeOf(content)
  if (type === undefined) throw problem('member_invalid', { param: name })
  return `data:${type};base64,${content.toString('base64')}`
}
