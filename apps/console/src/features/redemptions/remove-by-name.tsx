import { redemptionRoutes } from '@tollgate/contract/redemption'
import { Alert, Input, Modal } from 'antd'
import { useState } from 'react'
import { api } from '../../shared/api/client.ts'
import { failureText } from '../../shared/api/failure.ts'
import { confirm } from '../../shared/confirm/confirm.ts'
import { notifyDone } from '../../shared/notify/notify.ts'
import { countByName, useRefreshRedemptions } from './api.ts'
import { redemptionMessages } from './i18n.ts'

/** Takes a name, shows how many codes have it, and deletes those that nobody has redeemed. */
export function RemoveByName({ onClose }: { readonly onClose: () => void }) {
  const t = redemptionMessages.use()
  const refresh = useRefreshRedemptions()
  const [name, setName] = useState('')
  const [failure, setFailure] = useState<string>()
  const [isAsking, setIsAsking] = useState(false)

  async function remove() {
    const removed = await api.call(redemptionRoutes.removeByName, { query: { name: name.trim() } })
    notifyDone(t('removedMany', { count: removed }))
    await refresh()
  }
  async function ask() {
    setFailure(undefined)
    if (name.trim() === '') return setFailure(t('byName.missing'))
    try {
      const { all, removable } = await countByName(name.trim())
      if (removable === 0)
        return setFailure(all === 0 ? t('byName.none') : t('byName.onlyUsed', { count: all }))
      setIsAsking(true)
      const isDone = await confirm({
        title: t('byName.confirm', { count: removable, name: name.trim() }),
        consequence:
          all === removable ? t('byName.consequence') : t('byName.kept', { count: all - removable }),
        confirmLabel: t('word.delete'),
        isDestructive: true,
        action: remove,
      })
      if (isDone) onClose()
    } catch (error) {
      setFailure(failureText(error))
    } finally {
      setIsAsking(false)
    }
  }

  return (
    // The confirmation replaces this dialog; cancelling it shows this dialog again.
    <Modal
      open={!isAsking}
      width={440}
      title={t('byName.title')}
      okText={t('byName.count')}
      onOk={() => void ask()}
      onCancel={onClose}
    >
      <div className="stack-12">
        <p>{t('byName.text')}</p>
        <Input
          aria-label={t('word.name')}
          placeholder={t('word.name')}
          value={name}
          onChange={(event) => setName(event.target.value)}
          onPressEnter={(event) => {
            // Otherwise the same keypress would also press the button of the confirmation.
            event.preventDefault()
            void ask()
          }}
        />
        {failure !== undefined && <Alert type="error" title={failure} />}
      </div>
    </Modal>
  )
}
