import { accountRoutes } from '@tollgate/contract/account'
import type { Self } from '@tollgate/contract/user'
import { Button } from 'antd'
import { api } from '../../../shared/api/client.ts'
import { confirm } from '../../../shared/confirm/confirm.ts'
import { useMoney } from '../../../shared/format/use-money.ts'
import { paths } from '../../../shared/routing/paths.ts'
import { role, signOut } from '../../../shared/session/session.ts'
import { personalMessages } from '../i18n/index.ts'
import { Section } from '../../../shared/page/section.tsx'

/** Deletes the account after its name has been typed. The super admin cannot be deleted. */
export function RemoveAccount({ self }: { readonly self: Self }) {
  const t = personalMessages.use()
  const money = useMoney()
  const isRoot = self.role >= role.root
  const remove = () =>
    confirm({
      title: t('remove.ask', { name: self.username }),
      consequence: t('remove.consequence', { name: self.username, balance: money.summary(self.quota) }),
      confirmLabel: t('remove.submit'),
      isDestructive: true,
      typeToConfirm: self.username,
      action: async () => {
        await api.call(accountRoutes.remove, { body: { username: self.username } })
        signOut()
        globalThis.location.assign(`${paths.login}?deleted=true`)
      },
    })
  return (
    <Section
      title={t('remove.title')}
      purpose={isRoot ? t('remove.root') : t('remove.purpose')}
      actions={
        !isRoot && (
          <Button danger onClick={() => void remove()}>
            {t('remove.submit')}
          </Button>
        )
      }
    />
  )
}
