import { useQuery } from '@tanstack/react-query'
import type { Self } from '@tollgate/contract/user'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { copyText } from '../../../shared/copy/copy.ts'
import { groupedInteger } from '../../../shared/format/money.ts'
import { useMoney } from '../../../shared/format/use-money.ts'
import { ErrorState } from '../../../shared/page/error-state.tsx'
import { paths } from '../../../shared/routing/paths.ts'
import { useStatus } from '../../../shared/session/status.ts'
import { affCodeQuery } from '../api.ts'
import { personalMessages } from '../i18n/index.ts'
import { Figure } from '../profile/profile.tsx'
import profile from '../profile/profile.module.css'
import { Section } from '../../../shared/page/section.tsx'
import styles from './invitations.module.css'
import { TransferDialog } from './transfer-dialog.tsx'

type Earnings = Pick<Self, 'aff_quota' | 'aff_history_quota' | 'aff_count'>

/** The invitation link, and the earnings from it. */
export function Invitations({ self }: { readonly self: Earnings }) {
  const t = personalMessages.use()
  const money = useMoney()
  const { quota_per_unit: min } = useStatus()
  const [isTransferring, setIsTransferring] = useState(false)
  return (
    <Section title={t('invite.title')} purpose={t('invite.purpose')}>
      <InviteLink />
      <dl className={profile.figures}>
        <Figure
          label={t('invite.pending')}
          value={money.summary(self.aff_quota)}
          full={money.exact(self.aff_quota)}
        />
        <Figure
          label={t('invite.total')}
          value={money.summary(self.aff_history_quota)}
          full={money.exact(self.aff_history_quota)}
        />
        <Figure label={t('invite.people')} value={groupedInteger(self.aff_count)} />
      </dl>
      <div className="line-12">
        <Button disabled={self.aff_quota < min} onClick={() => setIsTransferring(true)}>
          {t('invite.transfer')}
        </Button>
        {self.aff_quota < min && (
          <span className="muted">{t('invite.tooSmall', { min: money.summary(min) })}</span>
        )}
      </div>
      {isTransferring && <TransferDialog earned={self.aff_quota} onClose={() => setIsTransferring(false)} />}
    </Section>
  )
}

function InviteLink() {
  const t = personalMessages.use()
  const code = useQuery(affCodeQuery)
  if (code.error !== null && code.data === undefined)
    return <ErrorState error={code.error} onRetry={() => void code.refetch()} />
  const link =
    code.data === undefined ? '' : `${globalThis.location.origin}${paths.register}?aff=${code.data}`
  return (
    <div className={styles.link}>
      <Input readOnly value={link} aria-label={t('invite.link')} className="code" />
      <Button disabled={link === ''} onClick={() => void copyText(link)}>
        {t('invite.copy')}
      </Button>
    </div>
  )
}
