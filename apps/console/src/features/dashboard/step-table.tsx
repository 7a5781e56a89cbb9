import { duration } from '../../shared/format/time.ts'
import type { CallsBehind, ChartSelection } from './calls-behind.ts'
import { CallsLink } from './calls-link.tsx'
import { dashboardMessages } from './i18n.ts'
import type { Measure } from './search.ts'
import {
  type KeySums,
  type SeriesStep,
  averageFirstMs,
  averageMs,
  measured,
  nameOf,
} from './series/series.ts'
import { stepName } from './step-name.ts'

interface StepTableProps {
  readonly steps: readonly SeriesStep[]
  readonly keys: readonly KeySums[]
  readonly measure: Measure
  readonly stepSeconds: number
  readonly value: (amount: number) => string
  readonly keyName: (key: KeySums) => string
  readonly calls: (pointed: ChartSelection) => CallsBehind
}

/** The numbers of the chart over time, newest first; each number links to its calls. */
export function StepTable({ steps, keys, measure, stepSeconds, value, keyName, calls }: StepTableProps) {
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
        {steps.toReversed().map((row) => {
          const step = { at: row.at, seconds: stepSeconds }
          return (
            <tr key={row.at}>
              <td>
                <CallsLink calls={calls({ step })}>{stepName(row.at, stepSeconds)}</CallsLink>
              </td>
              <td>{value(measured(row, measure))}</td>
              {keys.map((key) => {
                const sums = row.byKey.get(nameOf(key))
                if (sums === undefined) return <td key={nameOf(key)}>–</td>
                return (
                  <td key={nameOf(key)}>
                    <CallsLink isQuiet calls={calls({ key, step })}>
                      {value(measured(sums, measure))}
                    </CallsLink>
                  </td>
                )
              })}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

interface HealthTableProps extends Pick<StepTableProps, 'steps' | 'stepSeconds' | 'calls'> {}

/** The numbers of errors and latency, newest first. */
export function HealthTable({ steps, stepSeconds, calls }: HealthTableProps) {
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
        {steps.toReversed().map((row) => {
          const step = { at: row.at, seconds: stepSeconds }
          const failed = row.errors > 0 ? calls({ step, isFailed: true }) : undefined
          return (
            <tr key={row.at}>
              <td>
                <CallsLink calls={calls({ step })}>{stepName(row.at, stepSeconds)}</CallsLink>
              </td>
              <td>{row.calls}</td>
              <td>
                <CallsLink isQuiet calls={failed}>
                  {row.errors}
                </CallsLink>
              </td>
              <td>{milliseconds(averageMs(row))}</td>
              <td>{milliseconds(averageFirstMs(row))}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

export function milliseconds(average: number | undefined): string {
  return average === undefined ? '–' : duration(average)
}
