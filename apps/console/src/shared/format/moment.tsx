import { briefTime, dateTime } from './time.ts'

/** A moment at a glance, whole in its tooltip; a dash when there was none. */
export function Moment({ seconds }: { readonly seconds: number }) {
  if (seconds <= 0) return <span className="muted">–</span>
  return (
    <time className="number" dateTime={new Date(seconds * 1000).toISOString()} title={dateTime(seconds)}>
      {briefTime(seconds)}
    </time>
  )
}
