import type { CallerFrame } from '@tollgate/dialects/realtime/caller-frame'
import type { AttemptApp } from '../app.ts'
import { textsIn } from '../stations/admit/texts-in.ts'
import { refuseWords, wordSearch } from '../stations/admit/words.ts'
import type { Held } from '../stations/hold/held.ts'

/** Searches a frame for refused words; rejects with a Problem when it has one. `undefined` where none is refused. */
export function searchFrame(frame: CallerFrame, held: Held, app: AttemptApp): Promise<void> | undefined {
  const { refusedWords } = held.settings
  if (refusedWords === undefined) return undefined
  const text = textsIn(frame.event).join('\n')
  return refuseWords(text, wordSearch(refusedWords, held, app))
}
