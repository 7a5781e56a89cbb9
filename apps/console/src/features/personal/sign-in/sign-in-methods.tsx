import type { SignInProviderName } from '@tollgate/contract/oauth'
import type { Self } from '@tollgate/contract/user'
import { Button } from 'antd'
import { useState } from 'react'
import { confirm } from '../../../shared/confirm/confirm.ts'
import { openSignInProviders, providerLabels, signInProviders } from '../../../shared/sign-in/providers.ts'
import { notifyDone } from '../../../shared/notify/notify.ts'
import { useStatus } from '../../../shared/session/status.ts'
import { unbindProvider, unbindEmail, useRefreshSelf } from '../api.ts'
import { personalMessages } from '../i18n/index.ts'
import { Row, Rows, Section } from '../../../shared/page/section.tsx'
import { BindButton } from './bind-button.tsx'
import { EmailDialog } from './email-dialog.tsx'
import { PasswordDialog } from './password-dialog.tsx'

const boundIds: Readonly<Record<SignInProviderName, keyof Self>> = {
  github: 'github_id',
  oidc: 'oidc_id',
  linuxdo: 'linux_do_id',
  wechat: 'wechat_id',
  telegram: 'telegram_id',
}

/**
 * Lists the password, the email address and the sign-in providers. A bound provider stays listed after the
 * operator has disabled it.
 */
export function SignInMethods({ self }: { readonly self: Self }) {
  const t = personalMessages.use()
  const open = openSignInProviders(useStatus())
  const [dialog, setDialog] = useState<'password' | 'email'>()
  const close = () => setDialog(undefined)
  const shown = signInProviders.filter(
    (provider) => open.includes(provider) || self[boundIds[provider]] !== '',
  )
  return (
    <Section title={t('ways.title')} purpose={t('ways.purpose')}>
      <Rows>
        <Row
          label={t('word.password')}
          value={self.has_password ? t('ways.passwordSet') : t('ways.passwordNone')}
          actions={
            <Button onClick={() => setDialog('password')}>
              {self.has_password ? t('ways.passwordChange') : t('ways.passwordChoose')}
            </Button>
          }
        />
        <EmailRow self={self} onBind={() => setDialog('email')} />
        {shown.map((provider) => (
          <ProviderRow
            key={provider}
            provider={provider}
            boundId={String(self[boundIds[provider]])}
            isOpen={open.includes(provider)}
          />
        ))}
      </Rows>
      {dialog === 'password' && <PasswordDialog hasPassword={self.has_password} onClose={close} />}
      {dialog === 'email' && <EmailDialog onClose={close} />}
    </Section>
  )
}

function EmailRow({ self, onBind }: { readonly self: Self; readonly onBind: () => void }) {
  const t = personalMessages.use()
  const refresh = useRefreshSelf()
  const unbind = () =>
    confirm({
      title: t('ways.unbindTitle', { what: self.email }),
      consequence: t('ways.unbindEmailText'),
      confirmLabel: t('ways.unbind'),
      isDestructive: true,
      action: async () => {
        await unbindEmail()
        notifyDone(t('ways.unbound', { what: self.email }))
        await refresh()
      },
    })
  const isBound = self.email !== ''
  return (
    <Row
      label={t('word.email')}
      value={isBound ? self.email : t('ways.notBound')}
      actions={
        <>
          {isBound && <Button onClick={() => void unbind()}>{t('ways.unbind')}</Button>}
          <Button onClick={onBind}>{isBound ? t('ways.emailChange') : t('ways.bind')}</Button>
        </>
      }
    />
  )
}

interface ProviderRowProps {
  readonly provider: SignInProviderName
  /** "" if no identity is bound. */
  readonly boundId: string
  readonly isOpen: boolean
}

function ProviderRow({ provider, boundId, isOpen }: ProviderRowProps) {
  const t = personalMessages.use()
  const refresh = useRefreshSelf()
  const label = providerLabels[provider]
  const unbind = () =>
    confirm({
      title: t('ways.unbindTitle', { what: label }),
      consequence: t('ways.unbindText', { what: label }),
      confirmLabel: t('ways.unbind'),
      isDestructive: true,
      action: async () => {
        await unbindProvider(provider)
        notifyDone(t('ways.unbound', { what: label }))
        await refresh()
      },
    })
  const isBound = boundId !== ''
  return (
    <Row
      label={provider === 'wechat' ? t('ways.wechat') : label}
      value={isBound ? t(isOpen ? 'ways.bound' : 'ways.boundClosed', { id: boundId }) : t('ways.notBound')}
      actions={
        isBound ? (
          <Button aria-label={t('ways.unbindNamed', { what: label })} onClick={() => void unbind()}>
            {t('ways.unbind')}
          </Button>
        ) : (
          <BindButton provider={provider} />
        )
      }
    />
  )
}
