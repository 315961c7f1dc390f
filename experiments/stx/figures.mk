# figures.mk - targets of the Slanted Stixels paper's tables and figures

STX_FIGURES := table1 table2 table3 table4 fig1 fig2 fig3 fig4 fig5 fig6 fig7 fig8 fig9 cut roofline
.PHONY: stx $(addprefix stx-,$(STX_FIGURES))

stx: $(addprefix stx-,$(STX_FIGURES)) ## all tables and figures of the Slanted Stixels paper

stx-table1: ## STX Table 1: complexity, time against block rows
stx-table2: ## STX Table 2: pixels per stixel
stx-table3: ## STX Table 3: disparity and class errors
stx-table4: ## STX Table 4: this machine beside the paper's
stx-fig1: ## STX Fig. 1: geometry, classes and a 3D view of one scene
stx-fig2: ## STX Fig. 2: accuracy against run time
stx-fig3: ## STX Fig. 3: one column, what was measured and its stixels
stx-fig4: ## STX Fig. 4: work of down-sampling, counted and by formula
stx-fig5: ## STX Fig. 5: work of the other stages, counted and by formula
stx-fig6: ## STX Fig. 6: both models' stixels side by side
stx-fig7: ## STX Fig. 7: disparity errors by image
stx-fig8: ## STX Fig. 8: frames per second
stx-fig9: ## STX Fig. 9: time of each kernel
stx-cut: ## STX: time against the number of multiprocessors in use
stx-roofline: ## STX: operations a second beneath the ceilings

$(addprefix stx-,$(STX_FIGURES)): stx-%: $(B)/depthbench
	$(Q)B=$(B) PROFILE=$(PROFILE) scripts/figure stx $*
