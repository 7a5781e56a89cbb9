import { duration } from '../../shared/format/time.ts'
import { Status } from '../../shared/status/status.tsx'
import { taskLogMessages } from './i18n.ts'
import { isEnded, percentOf, spentMs, spentTone, wordOfState } from './states.ts'
import styles from './task-log.module.css'
import { NoValue } from '../../shared/format/no-value.tsx'

/** Table cells used by both task logs. */

/** The status of a task. A progress bar is shown only for progress between 0 and 100 %. */
export function StateCell({ status, progress }: { readonly status: string; readonly progress: string }) {
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

/** The duration of a task: red above a minute, else green; nothing while it is unfinished. */
export function SpentCell({ submitMs, finishMs }: { readonly submitMs: number; readonly finishMs: number }) {
  const ms = spentMs(submitMs, finishMs)
  if (ms === undefined) return null
  return (
    <span className="number">
      <Status tone={spentTone(ms)} label={duration(ms)} />
    </span>
  )
}

export function ChannelCell({ id, name }: { readonly id: number; readonly name: string }) {
  if (id === 0) return null
  return (
    <span className={styles.name} title={name}>
      <span className="number">#{id}</span> {name}
    </span>
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
  if (text === '') return <NoValue />
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
