import type { ChannelType } from '@tollgate/contract/channel-upstream'
import { useLanguage } from '../../../shared/i18n/language.ts'
import { channelMessages } from '../i18n/index.ts'

/** Help text for the base URL of this channel type, with an example. */
export function AddressHelp({ type }: { readonly type: ChannelType }) {
  const t = channelMessages.use()
  const help = type.address.help[useLanguage()]
  return type.base_url === ''
    ? t('form.baseUrlNeeded', { help, url: type.address.example })
    : t('form.baseUrlHelp', { help, url: type.base_url })
}
