import { useQuery } from '@tanstack/react-query'
import { type Token, tokenRoutes } from '@tollgate/contract/token'
import { TOKEN_STATUS } from '@tollgate/kit/codes'
import { api } from '../../shared/api/client.ts'

const TOKENS_MAX = 100

/** The newest token that may spend quota; `null` if there is none. */
export function useChatToken() {
  return useQuery({
    queryKey: ['token', 'chat'],
    gcTime: 0,
    queryFn: async ({ signal }): Promise<Token | null> => {
      const tokens = await api.call(tokenRoutes.list, { query: { p: 0, size: TOKENS_MAX }, signal })
      return tokens.find(({ status }) => status === TOKEN_STATUS.enabled) ?? null
    },
  })
}

/** The token's full key. It is requested only after the reader has agreed, and it is not cached. */
export function useChatKey(tokenId: number, isAgreed: boolean) {
  return useQuery({
    queryKey: ['token', 'chat-key', tokenId],
    enabled: isAgreed,
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
    queryFn: async () => (await api.call(tokenRoutes.reveal, { params: { id: tokenId } })).key,
  })
}
