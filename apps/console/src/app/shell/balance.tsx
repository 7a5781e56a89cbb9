import { useQuery } from '@tanstack/react-query'
import { useMoney } from '../../shared/format/use-money.ts'
import { selfQuery } from '../../shared/session/self.ts'
import { shellMessages } from './i18n.ts'
import styles from './top-bar.module.css'

/**
 * The remaining quota of the signed-in user, with the exact number of units in the tooltip. Renders nothing
 * until the quota is known.
 */
export function Balance() {
  const t = shellMessages.use()
  const money = useMoney()
  const { data: self } = useQuery(selfQuery)
  if (self === undefined) return null
  return (
    <span className={`${styles.box} number`} title={`${t('balance')}: ${money.exact(self.quota)}`}>
      <span className="visually-hidden">{t('balance')}</span>
      {money.summary(self.quota)}
    </span>
  )
}
