import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Form } from '@tollgate/dialects/media/form'
import type { Cipher } from '@tollgate/kit/cipher'
import { logTextContext } from '@tollgate/store/logs/texts'
import type { LogTextTable } from '@tollgate/store/tables/logs'
import type { Delivered } from '../outcome.ts'
import type { Held } from '../stations/hold/held.ts'
import type { Log } from '../log.ts'
import { AnswerText } from './answer-text.ts'
import { transcriptText, LOOK_AHEAD, type TranscriptCall } from './transcript-text.ts'

export interface TranscriptPorts {
  readonly cipher: Pick<Cipher, 'encrypt'>
  readonly writeLogTexts: (rows: readonly LogTextTable[]) => Promise<void>
  readonly log: Log
}

/** Texts are written in batches a little later; no call waits for them. */
const FLUSH_MS = 500
const ROWS_AT_ONCE = 20
/** Limits for waiting texts. Beyond them, the texts of further calls are not kept. */
const CALLS_WAITING_MAX = 500
const BYTES_WAITING_MAX = 64 * 1024 * 1024

interface Waiting extends Omit<TranscriptCall, 'answer'> {
  readonly answer: AnswerText
  readonly requestId: string
  readonly userId: number
  readonly createdAt: number
}

export interface TranscriptRecorder {
  /**
   * Returns an object that collects the text of the response, for calls whose texts are kept; else
   * `undefined`.
   */
  listen(held: Held): AnswerText | undefined
  /** Called after the response has ended. Never blocks, never throws. */
  note(held: Held, exit: Delivered): void
  close(): Promise<void>
}

/**
 * Keeps the texts of calls, where the operator wants it. They are parsed, redacted and encrypted after the
 * call.
 */
export function openTranscriptRecorder({ cipher, writeLogTexts, log }: TranscriptPorts): TranscriptRecorder {
  let waiting: Waiting[] = []
  let bytes = 0
  let dropped = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  function rowOf({ requestId, userId, createdAt, ...said }: Waiting): LogTextTable {
    const text = JSON.stringify(transcriptText(said))
    return {
      request_id: requestId,
      user_id: userId,
      created_at: createdAt,
      sealed: cipher.encrypt(text, logTextContext(requestId)),
    }
  }

  async function write(calls: readonly Waiting[]): Promise<void> {
    for (let from = 0; from < calls.length; from += ROWS_AT_ONCE) {
      const rows: LogTextTable[] = []
      for (const call of calls.slice(from, from + ROWS_AT_ONCE)) {
        await call.ask.tree?.load()
        rows.push(rowOf(call))
        // Lets calls under way proceed between two texts.
        await nextTurn()
      }
      await writeLogTexts(rows)
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const calls = waiting
    if (dropped > 0)
      log.warn({ dropped }, 'dropped the texts of some calls because too many were waiting to be written')
    waiting = []
    bytes = 0
    dropped = 0
    writing = writing
      .then(() => write(calls))
      .catch((error: unknown) => log.warn({ error }, 'could not write the texts of calls'))
    return writing
  }

  return {
    listen({ call, operation, settings: { keptCharactersMax } }) {
      const { transcript } = operation
      if (keptCharactersMax === undefined || transcript === undefined) return undefined
      return new AnswerText({
        reader: transcript,
        charactersMax: Math.floor(keptCharactersMax / 2) + LOOK_AHEAD,
        isList: call.dialect.streamType !== undefined,
      })
    },
    note({ call, caller, operation, ask, settings }, { transcript: answer }) {
      if (
        answer === undefined ||
        settings.keptCharactersMax === undefined ||
        operation.transcript === undefined
      )
        return
      // For forms only the text parts are kept in memory, not the files.
      const { model, isStream, form } = ask
      const size = (form ? textBytes(form) : ask.bytes.length) + answer.wholeBytes
      if (waiting.length >= CALLS_WAITING_MAX || bytes + size > BYTES_WAITING_MAX) {
        dropped++
        return
      }
      bytes += size
      waiting.push({
        reader: operation.transcript,
        ask: form === undefined ? ask : { body: ask.body, model, isStream },
        answer,
        charactersMax: settings.keptCharactersMax,
        requestId: call.id,
        userId: caller.owner.id,
        createdAt: Math.floor(call.startedMs / 1000),
      })
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref()
    },
    close: flush,
  }
}

function textBytes({ parts }: Form): number {
  return parts.reduce((sum, { fileName, content }) => sum + (fileName === undefined ? content.length : 0), 0)
}
