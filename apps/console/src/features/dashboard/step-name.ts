import dayjs from 'dayjs'

const DAY_SECONDS = 86_400

/** `11-20 14:00`, `11-20`: the start of a step in the reader's time zone. */
export function stepName(at: number, stepSeconds: number): string {
  return dayjs.unix(at).format(stepSeconds < DAY_SECONDS ? 'MM-DD HH:mm' : 'MM-DD')
}
