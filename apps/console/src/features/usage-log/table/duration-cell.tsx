import { duration } from '../../../shared/format/time.ts'
import { Label, Status } from '../../../shared/status/status.tsx'
import { usageLogMessages } from '../i18n/index.ts'
import type { CallRow } from './call-row.ts'
import styles from './cells.module.css'
import { durationTone, firstTokenTone, speedOf } from './speed.ts'

/** The duration of the call, the time to its first token, and whether it was streamed. */
export function DurationCell({ row }: { readonly row: CallRow }) {
  const t = usageLogMessages.use()
  const { durationMs, firstTokenMs } = speedOf(row, row.record.frt)
  return (
    <span className="number inline-8">
      <span title={t('duration.whole')}>
        <Status tone={durationTone(durationMs)} label={duration(durationMs)} />
      </span>
      {row.is_stream && firstTokenMs !== undefined && (
        <span title={t('duration.firstToken')}>
          <Status tone={firstTokenTone(firstTokenMs)} label={duration(firstTokenMs)} />
        </span>
      )}
      {row.is_stream && (
        <span className={styles.stream}>
          <Label text={t('stream')} />
        </span>
      )}
    </span>
  )
}
