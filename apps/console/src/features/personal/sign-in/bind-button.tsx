import { useMutation } from '@tanstack/react-query'
import { type OAuthProviderName, type SignInProviderName, oauthRoutes } from '@tollgate/contract/oauth'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import { api } from '../../../shared/api/client.ts'
import { isOAuthProvider } from '../../../shared/sign-in/provider-buttons.tsx'
import { providerLabels, redirectToProvider } from '../../../shared/sign-in/providers.ts'
import { TelegramButton } from '../../../shared/sign-in/telegram-button.tsx'
import { WechatDialog } from '../../../shared/sign-in/wechat-dialog.tsx'
import { notifyDone } from '../../../shared/notify/notify.ts'
import { paths } from '../../../shared/routing/paths.ts'
import { useRefreshSelf } from '../api.ts'
import { personalMessages } from '../i18n/index.ts'

/** Starts binding a sign-in provider, by a redirect to the provider or in a dialog. */
export function BindButton({ provider }: { readonly provider: SignInProviderName }) {
  const t = personalMessages.use()
  const [isOpen, setIsOpen] = useState(false)
  const leave = useMutation({
    mutationFn: (name: OAuthProviderName) => redirectToProvider(name, paths.personal),
  })
  const close = () => setIsOpen(false)
  return (
    <>
      <Button
        loading={leave.isPending}
        aria-label={t('ways.bindNamed', { what: providerLabels[provider] })}
        onClick={() => (isOAuthProvider(provider) ? leave.mutate(provider) : setIsOpen(true))}
      >
        {t('ways.bind')}
      </Button>
      {isOpen && provider === 'wechat' && <BindWechat onClose={close} />}
      {isOpen && provider === 'telegram' && (
        <Modal open width={400} title={t('ways.telegram')} footer={null} onCancel={close}>
          <p className="muted" style={{ marginBottom: 16 }}>
            {t('ways.telegramText')}
          </p>
          <TelegramButton returnTo={paths.personal} />
        </Modal>
      )}
    </>
  )
}

function BindWechat({ onClose }: { readonly onClose: () => void }) {
  const t = personalMessages.use()
  const refresh = useRefreshSelf()
  const bind = async (code: string) => {
    await api.call(oauthRoutes.bindWechat, { query: { code } })
    notifyDone(t('ways.wechatBound'))
    onClose()
    await refresh()
  }
  return <WechatDialog onCode={bind} onClose={onClose} />
}
