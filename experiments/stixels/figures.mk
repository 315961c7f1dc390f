# figures.mk - targets of the Slanted Stixels paper's tables and figures

STIXELS_FIGURES := table1 table2 table3 table4 fig1 fig2 fig3 fig4 fig5 fig6 fig7 fig8 fig9 cut roofline
.PHONY: stixels $(addprefix stixels-,$(STIXELS_FIGURES))

stixels: $(addprefix stixels-,$(STIXELS_FIGURES)) ## all tables and figures of the Slanted Stixels paper

stixels-table1: ## Table 1: complexity, time against block rows
stixels-table2: ## Table 2: pixels per stixel
stixels-table3: ## Table 3: disparity and class errors
stixels-table4: ## Table 4: this machine beside the paper's
stixels-fig1: ## Fig. 1: geometry, classes and a 3D view of one scene
stixels-fig2: ## Fig. 2: accuracy against run time
stixels-fig3: ## Fig. 3: one column, what was measured and its stixels
stixels-fig4: ## Fig. 4: work of down-sampling, counted and by formula
stixels-fig5: ## Fig. 5: work of the other stages, counted and by formula
stixels-fig6: ## Fig. 6: both models' stixels side by side
stixels-fig7: ## Fig. 7: disparity errors by image
stixels-fig8: ## Fig. 8: frames per second
stixels-fig9: ## Fig. 9: time of each kernel
stixels-cut: ## time against the number of multiprocessors in use
stixels-roofline: ## operations a second beneath the ceilings

$(addprefix stixels-,$(STIXELS_FIGURES)): stixels-%: $(B)/depthbench
	$(Q)B=$(B) PROFILE=$(PROFILE) scripts/figure stixels $*

# the paper's older name
.PHONY: stx
stx: stixels
stx-%: stixels-% ;
