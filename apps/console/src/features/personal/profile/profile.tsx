import type { Self } from '@tollgate/contract/user'
import { Button } from 'antd'
import { useState } from 'react'
import { useMoney } from '../../../shared/format/use-money.ts'
import { groupedInteger } from '../../../shared/format/money.ts'
import { role } from '../../../shared/session/session.ts'
import { Label } from '../../../shared/status/status.tsx'
import { personalMessages } from '../i18n/index.ts'
import { Section } from '../../../shared/page/section.tsx'
import { NameDialog } from './name-dialog.tsx'
import styles from './profile.module.css'

/** The summary of the account: name, role and balance. */
export function Profile({ self }: { readonly self: Self }) {
  const t = personalMessages.use()
  const money = useMoney()
  const [isRenaming, setIsRenaming] = useState(false)
  const name = self.display_name || self.username
  return (
    <Section
      title={t('profile.title')}
      actions={<Button onClick={() => setIsRenaming(true)}>{t('profile.rename')}</Button>}
    >
      <div className="line-12">
        <span className={styles.initial} aria-hidden="true">
          {Array.from(name)[0]?.toUpperCase()}
        </span>
        <div className={styles.names}>
          <strong>{name}</strong>
          <span className="muted">{t('profile.line', { username: self.username, id: self.id })}</span>
        </div>
        <span className={styles.labels}>
          <Label text={t(roleKey(self.role))} />
          <Label text={t('word.groupName', { group: self.group })} />
        </span>
      </div>
      <dl className={styles.figures}>
        <Figure
          label={t('profile.balance')}
          value={money.summary(self.quota)}
          full={money.exact(self.quota)}
        />
        <Figure
          label={t('profile.used')}
          value={money.summary(self.used_quota)}
          full={money.exact(self.used_quota)}
        />
        <Figure label={t('profile.calls')} value={groupedInteger(self.request_count)} />
      </dl>
      {isRenaming && <NameDialog name={self.display_name} onClose={() => setIsRenaming(false)} />}
    </Section>
  )
}

interface FigureProps {
  readonly label: string
  readonly value: string
  readonly full?: string
}

export function Figure({ label, value, full }: FigureProps) {
  return (
    <div className={styles.figure}>
      <dt>{label}</dt>
      <dd className="number" title={full}>
        {value}
      </dd>
    </div>
  )
}

function roleKey(value: number) {
  if (value >= role.root) return 'role.root'
  return value >= role.admin ? 'role.admin' : 'role.user'
}
