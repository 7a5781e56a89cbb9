import { channelRoutes } from '@tollgate/contract/channel'
import { Button, Dropdown } from 'antd'
import { api } from '../../../shared/api/client.ts'
import { confirm } from '../../../shared/confirm/confirm.ts'
import { Icon } from '../../../shared/icon/icon.tsx'
import { notifyDone } from '../../../shared/notify/notify.ts'
import { notifyingFailure } from '../../../shared/notify/notifying-failure.ts'
import { useRefreshChannels } from '../api.ts'
import { channelBulkMessages } from './i18n.ts'
import { useRefreshRun } from './use-test-run.ts'

interface AllMenuProps {
  /** Called when a test of all channels has been started and its progress has been fetched. */
  readonly onTesting: () => void
}

/** Actions on all channels at once; each except the repair asks for confirmation. */
export function AllMenu({ onTesting }: AllMenuProps) {
  const t = channelBulkMessages.use()
  const refresh = useRefreshChannels()
  const refreshRun = useRefreshRun()

  async function testAll() {
    await api.call(channelRoutes.testAll)
    notifyDone(t('testStarted'))
    await refreshRun()
    onTesting()
  }
  async function updateBalances() {
    await api.call(channelRoutes.updateBalances)
    notifyDone(t('balancesStarted'))
    await refreshRun()
  }
  async function removeDisabled() {
    const count = await api.call(channelRoutes.removeDisabled)
    notifyDone(count === 0 ? t('noneDisabled') : t('removed', { count }))
    await refresh()
  }
  async function fix() {
    notifyDone(t('fixed', { count: await api.call(channelRoutes.fix, { body: {} }) }))
    await refresh()
  }

  const items = [
    {
      key: 'test',
      label: t('testAll'),
      onClick: () =>
        void confirm({
          title: t('testAllTitle'),
          consequence: t('testAllText'),
          confirmLabel: t('testAll'),
          action: testAll,
        }),
    },
    {
      key: 'balances',
      label: t('balances'),
      onClick: () =>
        void confirm({
          title: t('balancesTitle'),
          consequence: t('balancesText'),
          confirmLabel: t('balances'),
          action: updateBalances,
        }),
    },
    { key: 'fix', label: t('fix'), onClick: notifyingFailure(fix) },
    {
      key: 'remove',
      label: t('removeDisabled'),
      danger: true,
      onClick: () =>
        void confirm({
          title: t('removeDisabledTitle'),
          consequence: t('removeDisabledText'),
          confirmLabel: t('word.delete'),
          isDestructive: true,
          action: removeDisabled,
        }),
    },
  ]
  return (
    <Dropdown trigger={['click']} menu={{ items }}>
      <Button icon={<Icon name="chevronDown" />} iconPlacement="end">
        {t('all')}
      </Button>
    </Dropdown>
  )
}
