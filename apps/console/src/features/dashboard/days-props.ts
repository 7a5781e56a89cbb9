import type { Dayjs } from 'dayjs'

export interface DaysProps {
  readonly from: Dayjs
  readonly until: Dayjs
  readonly onChange: (from: Dayjs, until: Dayjs) => void
}

export const DAYS_WIDTH_PX = 244
