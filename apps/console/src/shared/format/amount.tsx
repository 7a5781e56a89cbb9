import { useMoney } from './use-money.ts'

interface AmountProps {
  readonly units: number
  /** What it is compared with, itself included. Default: it stands alone. */
  readonly among?: readonly number[]
}

/** Money in a summary, with every digit as its title. */
export function Amount({ units, among }: AmountProps) {
  const { column, exact, summary } = useMoney()
  return <span title={exact(units)}>{among ? column(among)(units) : summary(units)}</span>
}
