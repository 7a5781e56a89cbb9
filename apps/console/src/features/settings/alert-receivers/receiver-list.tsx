import { useMutation } from '@tanstack/react-query'
import { alertRoutes, type Receiver } from '@tollgate/contract/alert'
import { receiverForms } from '@tollgate/contract/alert-receivers'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { api } from '../../../shared/api/client.ts'
import { failureText } from '../../../shared/api/failure.ts'
import { confirm } from '../../../shared/confirm/confirm.ts'
import { useLanguage } from '../../../shared/i18n/language.ts'
import { Status } from '../../../shared/status/status.tsx'
import type { Column, RowAction } from '../../../shared/table/column.ts'
import { DataTable } from '../../../shared/table/data-table.tsx'
import { settingMessages } from '../i18n/index.ts'
import styles from '../settings.module.css'
import { useReceivers, useRefreshReceivers } from './api.ts'
import { ReceiverForm } from './receiver-form.tsx'

interface Tested {
  readonly name: string
  readonly isOk: boolean
  readonly reason: string
}

/** Who gets alerts; each can be tested. Receivers are stored at once, unlike the fields above them. */
export function ReceiverList() {
  const t = settingMessages.use()
  const receivers = useReceivers()
  const refresh = useRefreshReceivers()
  const columns = useColumns()
  const [opened, setOpened] = useState<'new' | Receiver>()
  const test = useTest()

  async function remove({ id, name }: Receiver) {
    const isRemoved = await confirm({
      title: t('receiver.removeAsk', { name }),
      consequence: t('receiver.removeText'),
      confirmLabel: t('receiver.remove'),
      isDestructive: true,
      action: () => api.call(alertRoutes.removeReceiver, { params: { id } }),
    })
    if (isRemoved) await refresh()
  }

  const actions = (receiver: Receiver): readonly RowAction[] => [
    { key: 'test', label: t('receiver.test'), isInline: true, onSelect: () => test.mutate(receiver) },
    { key: 'edit', label: t('receiver.change'), isInline: true, onSelect: () => setOpened(receiver) },
    {
      key: 'remove',
      label: t('receiver.remove'),
      isDestructive: true,
      onSelect: () => void remove(receiver),
    },
  ]
  const add = <Button onClick={() => setOpened('new')}>{t('receiver.add')}</Button>
  const hasRows = receivers.data !== undefined && receivers.data.total > 0
  return (
    <div className={styles.receivers}>
      <div className={styles.extraWords}>
        <strong>{t('receiver.title')}</strong>
        <p className={styles.help}>{t('receiver.help')}</p>
      </div>
      <DataTable
        label={t('receiver.title')}
        source={receivers}
        columns={columns}
        rowKey={({ id }) => id}
        actions={actions}
        empty={{ title: t('receiver.none'), text: t('receiver.noneText'), action: add }}
      />
      {test.isPending && <Alert type="info" title={t('receiver.testing', { name: test.variables.name })} />}
      {test.data !== undefined && !test.isPending && <Outcome {...test.data} />}
      {test.error !== null && <Alert type="error" title={failureText(test.error)} />}
      {hasRows && <div>{add}</div>}
      {opened !== undefined && (
        <ReceiverForm
          key={opened === 'new' ? 'new' : opened.id}
          receiver={opened === 'new' ? undefined : opened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </div>
  )
}

function useTest() {
  return useMutation({
    meta: { isFailureShown: true },
    mutationFn: async ({ id, name }: Receiver): Promise<Tested> => {
      const { is_ok: isOk, reason } = await api.call(alertRoutes.testReceiver, { params: { id } })
      return { name, isOk, reason }
    },
  })
}

function Outcome({ name, isOk, reason }: Tested) {
  const t = settingMessages.use()
  const title = isOk ? t('receiver.accepted', { name }) : t('receiver.refused', { name, reason })
  return <Alert type={isOk ? 'success' : 'error'} title={title} />
}

function useColumns(): readonly Column<Receiver>[] {
  const t = settingMessages.use()
  const language = useLanguage()
  return [
    {
      key: 'name',
      title: t('receiver.name'),
      isFluid: true,
      phone: 'title',
      render: ({ name }) => name,
    },
    {
      key: 'kind',
      title: t('receiver.kind'),
      phone: 'detail',
      render: ({ kind }) => receiverForms[kind].title[language],
    },
    {
      key: 'state',
      title: t('receiver.state'),
      phone: 'value',
      render: ({ kind, is_ready: isReady }) =>
        isReady ? (
          <Status tone="ok" label={t('receiver.ready')} />
        ) : (
          <Status tone="look" label={kind === 'mail' ? t('receiver.noMail') : t('receiver.incomplete')} />
        ),
    },
  ]
}
