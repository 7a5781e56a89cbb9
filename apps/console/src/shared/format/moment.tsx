import { NoValue } from './no-value.tsx'
import { briefTime, dateTime } from './time.ts'

/** A time with its date and seconds, for use outside lists. */
export function WholeMoment({ seconds }: { readonly seconds: number }) {
  if (seconds <= 0) return <NoValue />
  return (
    <time className="number" dateTime={new Date(seconds * 1000).toISOString()}>
      {dateTime(seconds)}
    </time>
  )
}

/** A short form of a time, with the full time in the tooltip; a dash if there is none. */
export function Moment({ seconds }: { readonly seconds: number }) {
  if (seconds <= 0) return <NoValue />
  return (
    <time className="number" dateTime={new Date(seconds * 1000).toISOString()} title={dateTime(seconds)}>
      {briefTime(seconds)}
    </time>
  )
}
