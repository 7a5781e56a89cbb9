import { parentPort } from 'node:worker_threads'
import { askOf, keepMembers, readAsk, scanAsk } from '@tollgate/dialects/ask'
import { readCheckedObject } from '@tollgate/dialects/checked/read-object'
import { parsedObject } from '@tollgate/dialects/json-limits'
import { countInput } from '@tollgate/dialects/tokens/count'
import { invariant } from '@tollgate/kit/invariant'
import { Problem } from '@tollgate/problems/problem'
import { wordFilter, type WordFilter } from '../../snapshots/word-filter.ts'
import { taskApis } from '../operations/all.ts'
import { textsIn } from '../stations/admit/texts-in.ts'
import { textsOfCall } from '../stations/admit/texts-of-call.ts'
import type { BodyReply, BodyTask, ReadTask, WordsTask } from './body-messages.ts'

/** The worker thread that reads request bodies, one task at a time. */

let filter: { readonly lines: string; readonly made: WordFilter | undefined } | undefined

/** Rebuilt only when the operator's list has changed. */
function filterOf(lines: readonly string[]): WordFilter | undefined {
  const key = lines.join('\n')
  if (filter?.lines !== key) filter = { lines: key, made: wordFilter(lines, () => undefined) }
  return filter.made
}

function read({ use, defaults, policy, buffer, length, words }: ReadTask): BodyReply {
  const bytes = Buffer.from(buffer, 0, length)
  if (typeof use === 'number') {
    const api = taskApis[use]
    invariant(api !== undefined, 'a task is submitted in a known API')
    const checked = readCheckedObject(bytes, api.judged, policy)
    const facts = { ...OF_A_TASK, length: checked.bytes.length, names: checked.names }
    return { type: 'facts', facts, buffer: checked.bytes === bytes ? buffer : ownBuffer(checked.bytes) }
  }
  const { body, ...kept } = keepMembers(use, scanAsk(use, bytes), { bytes, policy })
  const ask = askOf(use, body, { ...kept, defaults })
  const word = words && filterOf(words)?.find(textsOfCall(use, ask))
  const { members, names } = kept
  const counted = countInput(use, ask)
  const facts = { model: ask.model, length: kept.bytes.length, members, names, counted, word }
  if (kept.bytes !== bytes) return { type: 'facts', facts, buffer: ownBuffer(kept.bytes) }
  // Memory that was allocated in advance is freed here, where copying does not block the event loop.
  return { type: 'facts', facts, buffer: buffer.byteLength > length ? buffer.transfer(length) : buffer }
}

/** A copy that can be moved to the main thread. */
function ownBuffer(bytes: Buffer): ArrayBuffer {
  const copy = new ArrayBuffer(bytes.length)
  bytes.copy(new Uint8Array(copy))
  return copy
}

function findWord({ lines, searched }: WordsTask): BodyReply {
  if (typeof searched === 'string')
    return { type: 'word', word: filterOf(lines)?.find(searched), buffer: undefined }
  const { use, defaults, buffer, length } = searched
  const bytes = Buffer.from(buffer, 0, length)
  const text =
    typeof use === 'number'
      ? textsIn(parsedObject(bytes)).join('\n')
      : textsOfCall(use, readAsk(use, bytes, defaults))
  return { type: 'word', word: filterOf(lines)?.find(text), buffer }
}

const OF_A_TASK = {
  model: '',
  length: 0,
  names: undefined,
  members: [],
  counted: { textTokens: 0, mediaTokens: 0, mediaTokensMax: 0 },
  word: undefined,
}

function replyTo(task: BodyTask): BodyReply {
  try {
    return task.type === 'read' ? read(task) : findWord(task)
  } catch (error) {
    if (error instanceof Problem) return { type: 'problem', code: error.code, parameters: error.parameters }
    return { type: 'bug', text: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

const port = parentPort
invariant(port !== null, 'this is a thread')
port.on('message', (task: BodyTask) => {
  const reply = replyTo(task)
  const moved = 'buffer' in reply && reply.buffer !== undefined ? [reply.buffer] : []
  port.postMessage(reply, moved)
})
