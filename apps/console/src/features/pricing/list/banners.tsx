import { lazy, Suspense, useState } from 'react'
import { PlainAlert } from '../../../shared/page/plain-alert.tsx'
import { PlainButton } from '../../../shared/page/plain-button.tsx'
import { useSessionUser } from '../../../shared/session/session.ts'
import type { PriceGroup } from '../api.ts'
import { pricingMessages } from '../i18n/index.ts'
import { CURRENCY_PER_MILLION, ratioText } from '../prices.ts'
import styles from './page.module.css'

const HelpDialog = lazy(async () => ({ default: (await import('./help-dialog.tsx')).HelpDialog }))

/**
 * Names the group whose prices are shown, and explains how prices are computed. Until the group is known, its
 * sentence is invisible but takes up its space.
 */
export function Banners({ group = COMING }: { readonly group: PriceGroup | undefined }) {
  const t = pricingMessages.use()
  const user = useSessionUser()
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const words = { group: group.name, ratio: ratioText(group.ratio) }
  const isOwn = user?.group === group.name
  return (
    <div className="stack-8">
      <div className={group === COMING ? styles.coming : undefined}>
        {user === undefined ? (
          <PlainAlert tone="look" title={t('banner.visitor', words)} />
        ) : (
          <PlainAlert tone="info" title={t(isOwn ? 'banner.own' : 'banner.other', words)} />
        )}
      </div>
      <div className={styles.formula}>
        <p>
          {t('banner.formula', { base: CURRENCY_PER_MILLION })} {t('banner.leaving')}
        </p>
        <PlainButton isSmall onClick={() => setIsHelpOpen(true)}>
          {t('help')}
        </PlainButton>
      </div>
      {isHelpOpen && (
        <Suspense fallback={null}>
          <HelpDialog onClose={() => setIsHelpOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}

const COMING: PriceGroup = { name: 'default', description: '', ratio: 1 }
