import { NoValue } from './no-value.tsx'
import { briefTime, dateTime } from './time.ts'

/** A moment with its date, to the second: where it stands alone. */
export function WholeMoment({ seconds }: { readonly seconds: number }) {
  if (seconds <= 0) return <NoValue />
  return (
    <time className="number" dateTime={new Date(seconds * 1000).toISOString()}>
      {dateTime(seconds)}
    </time>
  )
}

/** A moment at a glance, whole in its tooltip; a dash when there was none. */
export function Moment({ seconds }: { readonly seconds: number }) {
  if (seconds <= 0) return <NoValue />
  return (
    <time className="number" dateTime={new Date(seconds * 1000).toISOString()} title={dateTime(seconds)}>
      {briefTime(seconds)}
    </time>
  )
}
