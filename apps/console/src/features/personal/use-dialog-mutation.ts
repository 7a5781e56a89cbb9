import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import { notifyDone } from '../../shared/notify/notify.ts'
import { useRefreshSelf } from './api.ts'

interface DialogMutationInput<Value> {
  readonly mutationFn: (value: Value) => Promise<unknown>
  /** The message after success. */
  readonly done: string
  readonly onClose: () => void
  readonly onError?: (error: Error) => void
}

/** Changes the own account from a dialog: on success it is loaded again and the dialog closes. */
export function useDialogMutation<Value>(
  input: DialogMutationInput<Value>,
): UseMutationResult<unknown, Error, Value> {
  const { mutationFn, done, onClose, onError } = input
  const refresh = useRefreshSelf()
  return useMutation({
    mutationFn,
    meta: { isFailureShown: true },
    onError,
    onSuccess: async () => {
      await refresh()
      notifyDone(done)
      onClose()
    },
  })
}
