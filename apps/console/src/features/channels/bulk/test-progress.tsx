import { Alert, Progress } from 'antd'
import { useState } from 'react'
import { channelBulkMessages } from './i18n.ts'
import { useTestRun } from './use-test-run.ts'

interface TestProgressProps {
  /** The reader started one: what came of it is shown, however quick it was. */
  readonly isWatched: boolean
  readonly onClose: () => void
}

/** How far the test of all channels is; what came of it stays until the reader closes it. */
export function TestProgress({ isWatched, onClose }: TestProgressProps) {
  const t = channelBulkMessages.use()
  const run = useTestRun()
  const isBusy = run !== undefined && run.state !== 'idle'
  const [wasBusy, setWasBusy] = useState(false)
  if (isBusy && !wasBusy) setWasBusy(true)
  if (run === undefined || !(isBusy || wasBusy || isWatched)) return null
  if (isBusy) {
    const percent = Math.round((100 * run.done) / Math.max(1, run.total))
    return (
      <Alert
        type="info"
        title={t('testing', { done: run.done, total: run.total })}
        description={<Progress percent={percent} size="small" aria-label={t('testAll')} />}
      />
    )
  }
  const { tested = 0, failed = 0, disabled = 0, enabled = 0 } = run.figures
  return (
    <Alert
      type={failed > 0 ? 'warning' : 'success'}
      title={t('testDone', { tested, failed, disabled, enabled })}
      closable={{
        onClose: () => {
          setWasBusy(false)
          onClose()
        },
      }}
    />
  )
}
