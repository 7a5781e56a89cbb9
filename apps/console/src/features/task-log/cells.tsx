import { duration } from '../../shared/format/time.ts'
import { Status } from '../../shared/status/status.tsx'
import { taskLogMessages } from './i18n.ts'
import { resultSource } from './result-address.ts'
import { isEnded, percentOf, spentMs, spentTone, wordOfAction, wordOfState } from './states.ts'
import styles from './task-log.module.css'

/** Cells of both logs. */

interface StateCellProps {
  readonly status: string
  readonly progress: string
}

/** Half way the word has a bar below; at the beginning and at the end it says it all. */
export function StateCell({ status, progress }: StateCellProps) {
  const t = taskLogMessages.use()
  const [word, tone] = wordOfState(status)
  const percent = percentOf(progress)
  if (percent === 0 || percent === 100) return <Status tone={tone} label={t(word)} />
  return (
    <span className={styles.state}>
      <Status tone={tone} label={t(word)} />
      <span className="number muted">{percent}%</span>
      <progress
        className={isEnded(status) ? `${styles.bar} ${styles.ended}` : styles.bar}
        aria-label={t('progress')}
        max={100}
        value={percent}
      />
    </span>
  )
}

export function ActionCell({ action }: { readonly action: string }) {
  const t = taskLogMessages.use()
  const word = wordOfAction(action)
  return <>{word === undefined ? action : t(word)}</>
}

/** Red above a minute, else green; nothing while it is under way. */
export function SpentCell({ submitMs, finishMs }: { readonly submitMs: number; readonly finishMs: number }) {
  const ms = spentMs(submitMs, finishMs)
  if (ms === undefined) return null
  return (
    <span className="number">
      <Status tone={spentTone(ms)} label={duration(ms)} />
    </span>
  )
}

/** Opens beside the console; what upstreams made is none of its pages. */
export function VideoCell({ address }: { readonly address: string }) {
  const t = taskLogMessages.use()
  const source = resultSource(address)
  if (source === '') return null
  return (
    <a
      href={source}
      target="_blank"
      rel="noreferrer"
      onClick={(event) => {
        event.stopPropagation()
      }}
    >
      {t('video.show')}
    </a>
  )
}

interface TextCellProps {
  readonly text: string
  readonly onShow: (text: string) => void
  readonly isId?: boolean
}

/** One line of a text; a click shows all of it. */
export function TextCell({ text, onShow, isId = false }: TextCellProps) {
  const t = taskLogMessages.use()
  if (text === '') return <span className="muted">–</span>
  return (
    <button
      type="button"
      className={isId ? `${styles.text} ${styles.id}` : styles.text}
      title={t('text.show')}
      onClick={(event) => {
        event.stopPropagation()
        onShow(text)
      }}
    >
      {text}
    </button>
  )
}
