import { dashboardMessages } from './i18n.ts'
import { stepName } from './charts/options.ts'
import { type KeySums, type Step, averageFirstMs, averageMs, measured, nameOf } from './series/series.ts'
import type { Measure } from './search.ts'
import { duration } from '../../shared/format/time.ts'

interface StepTableProps {
  readonly steps: readonly Step[]
  readonly keys: readonly KeySums[]
  readonly measure: Measure
  readonly stepSeconds: number
  readonly value: (amount: number) => string
  readonly keyName: (key: KeySums) => string
}

/** The numbers of the chart over time, the newest first. */
export function StepTable({ steps, keys, measure, stepSeconds, value, keyName }: StepTableProps) {
  const t = dashboardMessages.use()
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('column.time')}</th>
          <th scope="col">{t('column.total')}</th>
          {keys.map((key) => (
            <th key={nameOf(key)} scope="col">
              {keyName(key)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {steps.toReversed().map((step) => (
          <tr key={step.at}>
            <td>{stepName(step.at, stepSeconds)}</td>
            <td>{value(measured(step, measure))}</td>
            {keys.map((key) => {
              const sums = step.byKey.get(nameOf(key))
              return <td key={nameOf(key)}>{sums ? value(measured(sums, measure)) : '–'}</td>
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type KeyTableProps = Pick<StepTableProps, 'keys' | 'measure' | 'value' | 'keyName'>

/** The numbers of the ring and of the rank. */
export function KeyTable({ keys, measure, value, keyName }: KeyTableProps) {
  const t = dashboardMessages.use()
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('column.key')}</th>
          <th scope="col">{t(`measure.${measure}`)}</th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={nameOf(key)}>
            <td>{keyName(key)}</td>
            <td>{value(measured(key, measure))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The numbers of errors and latency, the newest first. */
export function HealthTable({ steps, stepSeconds }: Pick<StepTableProps, 'steps' | 'stepSeconds'>) {
  const t = dashboardMessages.use()
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('column.time')}</th>
          <th scope="col">{t('column.calls')}</th>
          <th scope="col">{t('health.errors')}</th>
          <th scope="col">{t('health.whole')}</th>
          <th scope="col">{t('health.first')}</th>
        </tr>
      </thead>
      <tbody>
        {steps.toReversed().map((step) => (
          <tr key={step.at}>
            <td>{stepName(step.at, stepSeconds)}</td>
            <td>{step.calls}</td>
            <td>{step.errors}</td>
            <td>{milliseconds(averageMs(step))}</td>
            <td>{milliseconds(averageFirstMs(step))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function milliseconds(average: number | undefined): string {
  return average === undefined ? '–' : duration(average)
}
