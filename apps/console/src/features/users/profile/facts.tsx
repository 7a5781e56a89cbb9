import type { AdminUser } from '@tollgate/contract/admin-user'
import type { ReactNode } from 'react'
import { Amount } from '../../../shared/format/amount.tsx'
import { groupedInteger } from '../../../shared/format/money.ts'
import { WholeMoment } from '../../../shared/format/moment.tsx'
import { userMessages } from '../i18n.ts'
import { UserRole } from '../user-status.tsx'
import styles from './facts.module.css'

const providers = [
  ['GitHub', 'github_id'],
  ['OIDC', 'oidc_id'],
  ['Linux DO', 'linux_do_id'],
  ['WeChat', 'wechat_id'],
  ['Telegram', 'telegram_id'],
] as const

/** A user's details and balances in three short lists. */
export function Facts({ user }: { readonly user: AdminUser }) {
  const t = userMessages.use()
  const bound = providers.flatMap(([name, key]) => (user[key] === '' ? [] : [`${name}: ${user[key]}`]))
  return (
    <div className={styles.lists}>
      <List title={t('facts.account')}>
        <Fact name={t('word.displayName')} value={user.display_name} />
        <Fact name={t('column.role')} value={<UserRole role={user.role} />} />
        <Fact name={t('word.group')} value={user.group} />
        <Fact name={t('form.remark')} value={user.remark} />
        <Fact name={t('word.email')} value={user.email} />
        <Fact name={t('facts.bound')} value={bound.join(', ')} />
        <Fact name={t('facts.accessToken')} value={user.has_access_token ? t('facts.yes') : t('facts.no')} />
        <Fact name={t('word.created')} value={<WholeMoment seconds={user.created_time} />} />
        <Fact name={t('column.seen')} value={<WholeMoment seconds={user.last_seen_time} />} />
      </List>
      <List title={t('word.balance')}>
        <Fact name={t('word.remaining')} value={<Amount units={user.quota} />} />
        <Fact name={t('word.used')} value={<Amount units={user.used_quota} />} />
        <Fact name={t('word.calls')} value={groupedInteger(user.request_count)} />
        <Fact name={t('facts.paid')} value={user.has_paid ? t('facts.paidYes') : t('facts.paidNo')} />
      </List>
      <List title={t('facts.invites')}>
        <Fact name={t('column.invited')} value={groupedInteger(user.aff_count)} />
        <Fact name={t('facts.affiliate')} value={<Amount units={user.aff_quota} />} />
        <Fact name={t('facts.affiliateEver')} value={<Amount units={user.aff_history_quota} />} />
        <Fact name={t('facts.inviter')} value={user.inviter_id > 0 ? `#${user.inviter_id}` : ''} />
      </List>
    </div>
  )
}

function List({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h3 className={styles.title}>{title}</h3>
      <dl className={`${styles.list} number`}>{children}</dl>
    </section>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value === '' ? <span className="muted">–</span> : value}</dd>
    </div>
  )
}
