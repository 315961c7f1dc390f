# source.sed - a .cu or .cuh file as C++ for cuda_runtime.h of this folder, line by line
# kernel<<<grid, block, shared, stream>>>(arguments)
s/<<</ * emulated_grid(/g
s/>>>/)/g
# extern __shared__ __align__(16) char shared[];
s/extern __shared__ \(__align__([0-9]*) \)\{0,1\}\([A-Za-z_][A-Za-z0-9_ ]*\) \([a-z_]*\)\[\];/\2 *const \3 = (\2 *)emulated_shared();/
# instructions of the card, as near as C has them
s/asm("rcp\.approx\.ftz\.f32 %0, %1;" : "=f"(\([a-z_]*\)) : "f"(\([a-z_]*\)));/\1 = 1.0f \/ \2;/
s/asm("lg2\.approx\.ftz\.f32 %0, %1;" : "=f"(\([a-z_]*\)) : "f"(\([a-z_]*\)));/\1 = log2f(\2);/
s/asm volatile("griddepcontrol\.[a-z_]*;" : : : "memory");//
s/asm volatile("mov\.u64 %0, %%globaltimer;" : "=l"(\([a-z_]*\)));/\1 = (unsigned long long)clock64();/
