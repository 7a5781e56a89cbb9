import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { accountRoutes, type OwnSession } from '@tollgate/contract/account'
import { LOG_TYPE } from '@tollgate/kit/codes'
import { Button, Skeleton } from 'antd'
import { api } from '../../../shared/api/client.ts'
import { queryClient } from '../../../shared/api/query-client.ts'
import { confirm } from '../../../shared/confirm/confirm.ts'
import { briefTime, dateTime } from '../../../shared/format/time.ts'
import { notifyDone } from '../../../shared/notify/notify.ts'
import { QueryFailure } from '../../../shared/page/error-state.tsx'
import { paths } from '../../../shared/routing/paths.ts'
import { signOut } from '../../../shared/session/session.ts'
import { Status } from '../../../shared/status/status.tsx'
import { sessionsQuery } from '../api.ts'
import { personalMessages } from '../i18n/index.ts'
import { Row, Rows, Section } from '../../../shared/page/section.tsx'
import { deviceName } from './device.ts'
import styles from './sign-ins.module.css'

/** The active sessions of the account. An unfamiliar one can be ended, or all of them at once. */
export function SignIns() {
  const t = personalMessages.use()
  const sessions = useQuery(sessionsQuery)
  const everywhere = () =>
    confirm({
      title: t('sessions.everywhereTitle'),
      consequence: t('sessions.everywhereText'),
      confirmLabel: t('sessions.everywhere'),
      isDestructive: true,
      action: async () => {
        await api.call(accountRoutes.endSessions)
        signOut()
        globalThis.location.assign(paths.login)
      },
    })
  const others = useMutation({
    mutationFn: () => api.call(accountRoutes.endSessions, { query: { keep_current: 'true' } }),
    onSuccess: async (count) => {
      notifyDone(t('sessions.othersDone', { count }))
      await queryClient.invalidateQueries(sessionsQuery)
    },
  })
  const hasOthers = sessions.data?.some((session) => !session.is_current) ?? false
  return (
    <Section title={t('sessions.title')} purpose={t('sessions.purpose')}>
      {sessions.isPending && <Skeleton active paragraph={{ rows: 2 }} title={false} />}
      <QueryFailure query={sessions} />
      {sessions.data !== undefined && (
        <Rows>
          {sessions.data.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </Rows>
      )}
      <div className={styles.foot}>
        <Link to={paths.usageLog} search={{ type: LOG_TYPE.signIn }}>
          {t('sessions.all')}
        </Link>
        <div className="wrap-8">
          {hasOthers && (
            <Button loading={others.isPending} onClick={() => others.mutate()}>
              {t('sessions.others')}
            </Button>
          )}
          <Button onClick={() => void everywhere()}>{t('sessions.everywhere')}</Button>
        </div>
      </div>
    </Section>
  )
}

function SessionRow({ session }: { readonly session: OwnSession }) {
  const t = personalMessages.use()
  const end = useMutation({
    mutationFn: () => api.call(accountRoutes.endSession, { params: { session: session.id } }),
    onSuccess: async () => {
      notifyDone(t('sessions.ended'))
      await queryClient.invalidateQueries(sessionsQuery)
    },
  })
  const device = deviceName(session.user_agent) || t('sessions.unknown')
  return (
    <Row
      label={<span title={session.user_agent}>{device}</span>}
      value={
        <span title={t('sessions.since', { time: dateTime(session.created_at) })}>
          <span className="code">{session.address}</span> ·{' '}
          {t('sessions.seen', { time: briefTime(session.seen_at) })}
        </span>
      }
      actions={
        session.is_current ? (
          <Status tone="ok" label={t('sessions.current')} />
        ) : (
          <Button loading={end.isPending} onClick={() => end.mutate()}>
            {t('sessions.end')}
          </Button>
        )
      }
    />
  )
}
