import type { Job } from '@tollgate/contract/job'
import { Alert, Progress } from 'antd'
import { useState } from 'react'
import { FailedChannels } from './failed-channels.tsx'
import { channelBulkMessages } from './i18n.ts'
import { useTestRun } from './use-test-run.ts'

interface TestProgressProps {
  /**
   * The reader started a run: its result is shown, even if the run was too quick for its progress to be seen.
   */
  readonly isWatched: boolean
  readonly onClose: () => void
}

/** Progress of the test of all channels; the result stays until the reader closes it. */
export function TestProgress({ isWatched, onClose }: TestProgressProps) {
  const t = channelBulkMessages.use()
  const run = useTestRun()
  const isBusy = run !== undefined && run.state !== 'idle'
  const [wasBusy, setWasBusy] = useState(false)
  if (isBusy && !wasBusy) setWasBusy(true)
  if (run === undefined || !(isBusy || wasBusy || isWatched)) return null
  if (isBusy) return <TestUnderWay run={run} />
  const { tested = 0, failed = 0, disabled = 0, enabled = 0 } = run.figures
  return (
    <Alert
      type={failed > 0 ? 'warning' : 'success'}
      title={t('testDone', { tested, failed, disabled, enabled })}
      description={failed > 0 ? <FailedChannels /> : undefined}
      closable={{
        onClose: () => {
          setWasBusy(false)
          onClose()
        },
      }}
    />
  )
}

/** A run that is requested but not started still has the numbers of the previous run. */
export function TestUnderWay({ run: { state, done, total } }: { readonly run: Job }) {
  const t = channelBulkMessages.use()
  if (state !== 'running' || total === 0) return <Alert type="info" title={t('testStarting')} />
  const percent = Math.round((100 * done) / total)
  return (
    <Alert
      type="info"
      title={t('testing', { done, total })}
      description={<Progress percent={percent} size="small" aria-label={t('testAll')} />}
    />
  )
}
