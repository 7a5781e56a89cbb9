import dayjs from 'dayjs'

/** The time in the reader's time zone, to the second: `2026-11-20 20:58:12`. */
export function dateTime(unixSeconds: number): string {
  return dayjs.unix(unixSeconds).format('YYYY-MM-DD HH:mm:ss')
}

/** Only the time if it is today, otherwise with the date. The full time belongs in a tooltip. */
export function briefTime(unixSeconds: number, now: dayjs.Dayjs = dayjs()): string {
  const moment = dayjs.unix(unixSeconds)
  if (moment.isSame(now, 'day')) return moment.format('HH:mm:ss')
  return moment.format(moment.isSame(now, 'year') ? 'MM-DD HH:mm:ss' : 'YYYY-MM-DD HH:mm')
}

/** `318 ms`, `2.1 s`, `112 s`: about three digits, which are enough to compare. */
export function duration(milliseconds: number): string {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1000
  return `${seconds < 9.95 ? trimZero(seconds.toFixed(1)) : Math.round(seconds)} s`
}

function trimZero(text: string): string {
  return text.endsWith('.0') ? text.slice(0, -2) : text
}
