import type { Job } from '@tollgate/contract/job'
import type { Tone } from '../../shared/status/status.tsx'
import type { jobMessages } from './i18n.ts'

type Translate = ReturnType<typeof jobMessages.use>

const MINUTE = 60
const HOUR = 3600
const figures = [
  'tested',
  'failed',
  'disabled',
  'enabled',
  'asked',
  'channels',
  'hours',
  'keys',
  'removed',
  'renewed',
  'bytes',
  'sent',
  'accounts',
  'entries',
] as const

/** `Every 5 min`, `On demand`. */
export function everyText(t: Translate, { every_seconds: seconds, times, runs }: Job): string {
  const rhythm = times === '' ? rhythmText(t, seconds) : t('atTimes', { times })
  return runs === 'everywhere' ? `${rhythm} · ${t('everywhere')}` : rhythm
}

function rhythmText(t: Translate, seconds: number): string {
  if (seconds === 0) return t('onDemand')
  if (seconds % HOUR === 0) return t('everyHours', { count: seconds / HOUR })
  if (seconds % MINUTE === 0) return t('everyMinutes', { count: seconds / MINUTE })
  return t('everySeconds', { count: seconds })
}

/** `tested 12 · failed 2`; an unknown figure is shown by its own name. */
export function resultText(t: Translate, job: Job): string {
  return Object.entries(job.figures)
    .map(([name, value]) => {
      const known = figures.find((figure) => figure === name)
      return `${known === undefined ? name : t(`figure.${known}`)} ${value}`
    })
    .join(' · ')
}

export function stateOf(t: Translate, { state, done, total }: Job): { tone: Tone; label: string } {
  if (state === 'asked') return { tone: 'look', label: t('asked') }
  if (state === 'running')
    return { tone: 'look', label: total > 0 ? t('runningOf', { done, total }) : t('running') }
  return { tone: 'idle', label: t('idle') }
}

export function outcomeOf(t: Translate, { outcome, reason }: Job): { tone: Tone; label: string } | undefined {
  if (outcome === '') return undefined
  return outcome === 'ok'
    ? { tone: 'ok', label: t('ok') }
    : { tone: 'act', label: t(reason ? 'failedFor' : 'failed') }
}
