import { useMoney } from './use-money.ts'

interface AmountProps {
  readonly units: number
  /** The amounts to compare with, including this one. Default: none. */
  readonly among?: readonly number[]
}

/** An amount of money in a summary; the tooltip shows every digit. */
export function Amount({ units, among }: AmountProps) {
  const { column, exact, summary } = useMoney()
  return <span title={exact(units)}>{among ? column(among)(units) : summary(units)}</span>
}
